# A day, week, month or year of a time zone: from its start up to the start of the next one, exclusive. Both are texts in the form of the
# API's responses, so that a period is a filter and can be compared with rows.
module Sandbox
  class Period < Range
    def initialize(first, after) = super(first, after, true)

    def cover?(moment) = super(Moment.text(moment))
    alias === cover?
    alias include? cover?
    alias member? cover?

    # Ruby would enumerate texts letter by letter.
    def each(*) = raise(TypeError, "a period has no parts; day, week and month take a date: (date..date + 6).map { |date| day(date) }")
    alias step each
    alias % each
    alias reverse_each each

    def to_s = "#{self.begin}...#{self.end}"
    def to_json(*state) = to_s.to_json(*state)
  end
end
