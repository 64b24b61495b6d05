# A day, week, month or year in a time zone: from its start to the start of the next one, exclusive. Both ends are texts in the format of
# the API's responses, so that a period can be used as a filter and compared with values in rows.
module Sandbox
  class Period < Range
    def initialize(first, after) = super(first, after, true)

    def cover?(moment) = super(Moment.text(moment))
    alias === cover?
    alias include? cover?
    alias member? cover?

    # Raises an error, because Ruby would enumerate the texts of the range letter by letter.
    def each(*) = raise(TypeError, "a period has no parts; day, week and month take a date: (date..date + 6).map { |date| day(date) }")
    alias step each
    alias % each
    alias reverse_each each

    def to_s = "#{self.begin}...#{self.end}"
    def to_json(*state) = to_s.to_json(*state)
  end
end
