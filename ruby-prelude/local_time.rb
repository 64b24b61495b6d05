# Local times in a time zone. The host knows the rules of the zones: it says at which moment a clock shows a reading, and which
# UTC offsets a zone has on a day. The offsets are cached.
module Sandbox
  # Converts points in time from any of the forms that programs use.
  module Moment
    ISO = /\A\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})\z/i

    OF_ANSWERS = /\A\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\z/

    def self.moment?(given) = Time === given || DateTime === given || (String === given && ISO.match?(given))

    def self.time(given)
      return given if Time === given
      return given.to_time if DateTime === given
      # `Time.new` is much faster than DateTime, but it accepts dates that do not exist, so the date is checked.
      return Time.new(given) if OF_ANSWERS.match?(given) && Date.valid_date?(given[0, 4].to_i, given[5, 2].to_i, given[8, 2].to_i)
      DateTime.iso8601(given.sub(" ", "T")).to_time
    end

    # Returns a time as text in the format of the API's responses.
    def self.text(given) = moment?(given) && !(String === given && given.end_with?("Z")) ? time(given).getutc.iso8601 : given
  end

  # A zone with one UTC offset, in the form that Ruby's Time accepts. A Time then knows its zone, and %Z writes the zone's name.
  class Clock
    attr_reader :name
    alias to_s name

    def initialize(name, offset)
      @name = name
      @offset = offset
      freeze
    end

    def utc_to_local(utc) = utc + @offset
    def local_to_utc(local) = local - @offset
    def abbr(_time) = @name
    def inspect = "#<Clock #{@name}>"
  end

  module LocalTime
    YEARS = 1970..9998
    DAY_SECONDS = 86_400
    EPOCH = Date.new(1970).jd
    DATE = /\A(\d{4})-(\d{1,2})-(\d{1,2})\z/
    DATE_AND_TIME = /\A(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?\z/
    # The form of each period other than a date, such as `2026-10` for a month, and a function that returns its first date.
    SPECIAL = {
      "week" => [/\A(\d{4})-W(\d{2})\z/, ->(year, week) { Date.commercial(year, week) }],
      "month" => [/\A(\d{4})-(\d{1,2})\z/, ->(year, month) { Date.new(year, month) }],
      "year" => [/\A(\d{4})\z/, ->(year) { Date.new(year) }]
    }.freeze
    EXAMPLES = { "day" => "2026-10-05", "week" => "2026-10-05", "month" => "2026-10", "year" => "2026" }.freeze
    FIRST = {
      "day" => ->(date) { date },
      "week" => ->(date) { date - (date.cwday - 1) },
      "month" => ->(date) { Date.new(date.year, date.month) },
      "year" => ->(date) { Date.new(date.year) }
    }.freeze
    NEXT = {
      "day" => ->(date) { date + 1 },
      "week" => ->(date) { date + 7 },
      "month" => ->(date) { date >> 1 },
      "year" => ->(date) { date >> 12 }
    }.freeze
    # The default value of an argument. It cannot be nil, because nil may be the value of a missing key.
    NOW = Object.new.freeze

    class << self
      def local(given, zone, later)
        date, hour, minute, second = reading_of(given)
        found = ask(zone, reading: midnight(date) + hour * 3600 + minute * 60 + second)
        at = later && found["again"] || found["at"]
        tell(given, found, later)
        text(at)
      end

      def period(word, given, zone)
        date = FIRST[word].call(date_of(word, given, zone))
        from, after = [date, NEXT[word].call(date)].map { |day| ask(zone, reading: midnight(day)) }
        if from["at"] == after["at"]
          raise ArgumentError, "#{date} did not exist in #{from["zone"]}, whose clocks were set forward past it"
        end
        Period.new(text(from["at"]), text(after["at"]))
      end

      def in_zone(given, zone)
        time = given.equal?(NOW) ? Time.now : moment_of(given)
        time.getlocal(clock_at(zone, time.to_i))
      end

      private

      def midnight(date) = (date.jd - EPOCH) * DAY_SECONDS

      def text(seconds) = Time.at(seconds).utc.iso8601

      def reading_of(given)
        return [checked(given), 0, 0, 0] if given.instance_of?(Date)
        raise ArgumentError, "#{shown(given)} is a moment already and needs no local; in_zone shows it as the zone's clocks do" if Moment.moment?(given)
        parts = String === given ? DATE_AND_TIME.match(given.strip) : nil
        raise fault(given), "local takes a date and a time such as \"2026-11-30 09:00\", not #{shown(given)}" unless parts
        hour, minute, second = parts.values_at(4, 5, 6).map(&:to_i)
        raise ArgumentError, "#{shown(given)} has no such time; hours are 00 to 23, minutes and seconds 00 to 59" if hour > 23 || minute > 59 || second > 59
        [date_from(given, parts.values_at(1, 2, 3)), hour, minute, second]
      end

      def date_of(word, given, zone)
        return in_zone(NOW, zone).to_date if given.equal?(NOW)
        return checked(given) if given.instance_of?(Date)
        return in_zone(given, zone).to_date if Moment.moment?(given)
        text = Integer === given && word == "year" ? given.to_s : given
        return special(word, text, given) if String === text && SPECIAL[word]&.first&.match?(text.strip)
        parts = String === text ? DATE.match(text.strip) : nil
        return date_from(given, parts.captures) if parts
        raise fault(given), "#{word} takes a text such as \"#{EXAMPLES[word]}\", a date, a moment such as row[\"created_at\"], or nothing for the present #{word}, not #{shown(given)}"
      end

      def special(word, text, given)
        pattern, begin_of = SPECIAL[word]
        checked(begin_of.call(*pattern.match(text.strip).captures.map(&:to_i)))
      rescue Date::Error
        raise ArgumentError, "there is no #{word} #{shown(given)}"
      end

      def date_from(given, parts)
        numbers = parts.map(&:to_i)
        raise ArgumentError, "#{shown(given)} is not a day of the calendar" unless Date.valid_date?(*numbers)
        checked(Date.new(*numbers))
      end

      def checked(date)
        return date if YEARS.cover?(date.year)
        raise ArgumentError, "years are #{YEARS.min} to #{YEARS.max}, not #{date.year}"
      end

      def moment_of(given)
        unless Moment.moment?(given)
          raise fault(given), "in_zone takes a moment such as row[\"created_at\"], not #{shown(given)}#{"; local reads a time without an offset" if String === given}"
        end
        time = Moment.time(given)
        YEARS.cover?(time.year) ? time : raise(ArgumentError, "years are #{YEARS.min} to #{YEARS.max}, not #{time.year}")
      rescue Date::Error, RangeError
        raise ArgumentError, "there is no moment #{shown(given)}"
      end

      # Returns the class of the exception. A nil usually comes from a missing key, which the hint for a TypeError explains.
      def fault(given) = String === given ? ArgumentError : TypeError

      def shown(given)
        case given
        when nil, true, false, Integer, Float then given.to_s.empty? ? "nil" : given.to_s
        when String then given[0, 50].scrub.inspect
        when Time, Date then given.iso8601
        else Plain::CLASS.bind_call(given).to_s
        end
      end

      def tell(given, found, later)
        zone = found["zone"]
        if found["skipped"]
          Run.current.note("local(#{shown(given)}) is skipped in #{zone}, whose clocks go forward then; #{text(found["at"])}, the first moment after, was taken.")
        elsif found["again"] && !later
          Run.current.note("local(#{shown(given)}) is shown twice in #{zone}, whose clocks go back then; #{text(found["at"])}, the first, was taken. later: true takes #{text(found["again"])}.")
        end
      end

      # Returns the zone with the offset at a time. No zone changes its offset twice on one day.
      def clock_at(zone, seconds)
        day = seconds.div(DAY_SECONDS)
        clocks = Run.current.clocks[[zone, day]] ||= clocks_on(zone, day)
        (clocks.size > 1 && clocks[1][0] <= seconds ? clocks[1] : clocks[0])[1]
      end

      def clocks_on(zone, day)
        found = ask(zone, day: day)
        found["spans"].map { |from, offset| [from, Clock.new(found["zone"], offset)] }
      end

      def ask(zone, question)
        raise ArgumentError, "zone: takes a name such as \"Europe/Berlin\", not #{shown(zone)}" unless zone.nil? || String === zone && zone.match?(/\A[^\n]{1,100}\z/)
        about, value = question.first
        reply = Bridge.ask("Z#{about} #{value} #{zone}")
        body = reply.byteslice(1, reply.bytesize)
        reply.start_with?("A") ? JSON.parse(body) : raise(ArgumentError, body)
      end
    end
  end

  # The time methods for programs. They use the account's time zone unless the program names another.
  module LocalTimeSurface
    private

    def local(time, zone: nil, later: false) = LocalTime.local(time, zone, later)
    def in_zone(moment = LocalTime::NOW, zone: nil) = LocalTime.in_zone(moment, zone)
    def day(date = LocalTime::NOW, zone: nil) = LocalTime.period("day", date, zone)
    def week(date = LocalTime::NOW, zone: nil) = LocalTime.period("week", date, zone)
    def month(date = LocalTime::NOW, zone: nil) = LocalTime.period("month", date, zone)
    def year(date = LocalTime::NOW, zone: nil) = LocalTime.period("year", date, zone)
  end

  Object.include(LocalTimeSurface)
end
