package org.postscrypt.x509;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/** UTCTime and GeneralizedTime as RFC 5280 section 4.1.2.5 wants them: to the second, in UTC, nothing else. */
final class Times {
  private static final int[] MONTH_STARTS = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

  private Times() {}

  /** The next element, a Time, in milliseconds since 1970. */
  static long next(Der in) throws DerException {
    return in.has(Der.UTC_TIME) ? utc(in.next()) : generalized(in.next(Der.GENERALIZED_TIME));
  }

  private static long utc(Der time) throws DerException {
    int year = digits(time, 0);
    return millis(time, 2, year < 50 ? 2000 + year : 1900 + year);
  }

  static long generalized(Der time) throws DerException {
    return millis(time, 4, 100 * digits(time, 0) + digits(time, 2));
  }

  /** Month to second, which begin at {@code at}. Gregorian at all times. */
  private static long millis(Der time, int at, int year) throws DerException {
    if (time.length() != at + 11 || time.octet(at + 10) != 'Z') {
      throw new DerException("time is not to the second or not in UTC");
    }
    int month = digits(time, at);
    int day = digits(time, at + 2);
    int hour = digits(time, at + 4);
    int minute = digits(time, at + 6);
    int second = digits(time, at + 8);
    boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) {
      throw new DerException("no such time");
    }
    int next = month == 12 ? 365 : MONTH_STARTS[month];
    if (day > next - MONTH_STARTS[month - 1] + (leap && month == 2 ? 1 : 0)) {
      throw new DerException("no such day");
    }
    // Days before this year, counted from the year 0, which is a leap year.
    long days = 365L * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
    days += MONTH_STARTS[month - 1] + day - 1 + (leap && month > 2 ? 1 : 0) - 719528;
    return 1000 * (86400 * days + 3600 * hour + 60 * minute + second);
  }

  private static int digits(Der time, int at) throws DerException {
    if (time.length() < at + 2) {
      throw new DerException("truncated time");
    }
    int tens = time.octet(at) - '0';
    int ones = time.octet(at + 1) - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) {
      throw new DerException("time without digits");
    }
    return 10 * tens + ones;
  }

  /** For people to read. */
  static String text(long millis) {
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return format.format(new Date(millis));
  }
}
