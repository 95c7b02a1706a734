//! TLS. See the parent module for how callbacks are made.

use super::natives;

natives! { 'l => }
