# A day, week, month or year of a time zone: from its first moment until that of the next one, which is not part of it. Both are
# texts as answers have them, so that a period is a filter, and rows can be compared with it.
module Sandbox
  class Period < Range
    def initialize(first, after) = super(first, after, true)

    def cover?(moment) = super(Moment.text(moment))
    alias === cover?
    alias include? cover?
    alias member? cover?

    # Ruby would count texts up, letter by letter.
    def each(*) = raise(TypeError, "a period has no parts; day, week and month take a date: (date..date + 6).map { |date| day(date) }")
    alias step each
    alias % each
    alias reverse_each each

    def to_s = "#{self.begin}...#{self.end}"
    def to_json(*state) = to_s.to_json(*state)
  end
end
