require "date_core"

# The part of the standard library's time.rb that is needed for the dates of the API.
class Time
  def iso8601(digits = 0)
    fraction = digits.zero? ? "" : ".%#{digits}N"
    strftime("%Y-%m-%dT%H:%M:%S#{fraction}#{utc? ? "Z" : "%:z"}")
  end
  alias xmlschema iso8601

  def self.parse(text, now = nil)
    DateTime.parse(text).to_time
  end

  def self.iso8601(text)
    DateTime.iso8601(text).to_time
  end
  singleton_class.alias_method(:xmlschema, :iso8601)

  def self.strptime(text, format)
    DateTime.strptime(text, format).to_time
  end
end
