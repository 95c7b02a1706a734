//! Encrypted Client Hello.

use bssl::conscrypt::tls::{Context, EchKeys, marshal_ech_config, marshal_ech_config_list};
use jni::sys::{jboolean, jshort};

use super::error::{Error, Exception, Otherwise};
use super::slab::{Handle, Managed};
use super::ssl::Ssl;
use super::ssl_run::ssl_exception;
use super::types::{JString, NativeSsl, SessionContext, secret};
use super::{kinds, natives};
use crate::bytes::ByteArray;

impl Managed for EchKeys {
    const TAG: u8 = kinds::SSL_ECH_KEYS;
    const NAME: &'static str = "ssl_ech_keys";
}

natives! { 'l =>
    /// What to encrypt the hello for.
    fn SSL_set1_ech_config_list(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, list: ByteArray<'l>) -> jboolean {
        let ssl = ssl.get()?;
        if list.is_null() {
            return Err(Error::null("Null pointer, ech config"));
        }
        let list = list.to_vec(env, "ech config")?;
        ssl_exception(ssl.connection.set_ech_config_list(&list), "Error parsing ECH config")?;
        Ok(true)
    }

    /// Whether to send something like an encrypted hello when there is none.
    fn SSL_set_enable_ech_grease(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>, enabled: jboolean) -> () {
        Ok(ssl.get()?.connection.set_ech_grease(enabled)?)
    }

    /// The name that the server's chain is for when it refused the encrypted hello.
    fn SSL_get0_ech_name_override(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> JString<'l> {
        JString::of(env, ssl.get()?.connection.ech_name_override().as_deref())
    }

    /// What to try next when the server refused the encrypted hello.
    fn SSL_get0_ech_retry_configs(env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> ByteArray<'l> {
        match ssl.get()?.connection.ech_retry_configs() {
            Some(configs) => Ok(ByteArray::new(env, &configs)?),
            None => Ok(ByteArray::default()),
        }
    }

    /// Whether the server took the encrypted hello.
    fn SSL_ech_accepted(_env, ssl: Handle<Ssl>, _owner: NativeSsl<'l>) -> jboolean {
        Ok(ssl.get()?.connection.is_ech_accepted())
    }

    /// A server's key, an X25519 one, and the `ECHConfig` that it is known by; `InvalidKeyException` for either malformed.
    fn SSL_CTX_ech_enable_server(
        env, context: Handle<Context>, _holder: SessionContext<'l>, key: ByteArray<'l>, config: ByteArray<'l>,
    ) -> jboolean {
        let context = context.get()?;
        let key = secret(env, "key == null", key)?;
        let config = config.to_vec(env, "config == null")?;
        let keys = EchKeys::of(&key, &config).always(Exception::InvalidKey, "not a key and its ECHConfig")?;
        context.set_ech_keys(&keys).always(Exception::InvalidKey, "not a key and its ECHConfig")?;
        Ok(true)
    }

    /// Without keys.
    fn SSL_ECH_KEYS_new(_env) -> Handle<EchKeys> {
        Handle::new(EchKeys::new()?)
    }

    /// One more owner.
    fn SSL_ECH_KEYS_up_ref(_env, keys: Handle<EchKeys>) -> () {
        keys.retain()
    }

    /// One owner less.
    fn SSL_ECH_KEYS_free(_env, keys: Handle<EchKeys>) -> () {
        keys.free()
    }

    /// The `ECHConfig` of an X25519 private key.
    fn SSL_marshal_ech_config(env, id: jshort, key: ByteArray<'l>, public_name: JString<'l>) -> ByteArray<'l> {
        let id = u8::try_from(id).map_err(|_| Error::argument("a config ID has 8 bits"))?;
        let key = secret(env, "key == null", key)?;
        let name = public_name.text(env, "publicName == null")?;
        let config = marshal_ech_config(id, &key, &name).always(Exception::IllegalArgument, "not an X25519 key or not a public name")?;
        Ok(ByteArray::new(env, &config)?)
    }

    /// The `ECHConfigList` of one or more `ECHConfig`s.
    fn SSL_ECH_KEYS_marshal_retry_configs(env, configs: ByteArray<'l>) -> ByteArray<'l> {
        let configs = configs.to_vec(env, "configs == null")?;
        let list = marshal_ech_config_list(&configs).always(Exception::IllegalArgument, "not ECHConfigs")?;
        Ok(ByteArray::new(env, &list)?)
    }
}
