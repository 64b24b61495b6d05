# The prelude's whole state about the running program. It is one object, created for each program, so that nothing of a warm-up program gets
# into the snapshot and nothing of a program reaches the next.
module Sandbox
  class Run
    class << self
      attr_accessor :current
    end

    # The refused calls, and the missing keys that were read, each with the hash that lacks it.
    attr_reader :refused_calls, :missed
    # The clocks of zones by zone and day.
    attr_reader :clocks
    # The output of a task's program during its rehearsal; nil otherwise.
    attr_accessor :held
    # The text of the program.
    attr_accessor :code

    def initialize(kind)
      @may_request = kind == "execute"
      @refused_calls = []
      @missed = {}
      @notes = []
      @clocks = {}
    end

    def may_request? = @may_request

    # The ordinals of refused calls that the program never looked at.
    def overlooked = @refused_calls.reject(&:looked_at).map(&:ordinal)

    # The ordinals of refused calls whose responses are part of the result.
    def returned = @refused_calls.select(&:returned).map(&:ordinal)

    MISSED_WARNINGS = 5
    # Programs check every response for an error.
    ASKED_IN_VAIN = ["error", :error].freeze

    NOTES = 5

    # Records a warning from a helper.
    def note(sentence)
      @notes << sentence if @notes.size < NOTES && !@notes.include?(sentence)
    end

    # A missing key of an API object reads as nil, and a total of nils is silently wrong.
    def warnings
      odd = @missed.select { |key, hash| (String === key || Symbol === key) && !ASKED_IN_VAIN.include?(key) && kind(hash) }
      @notes + odd.first(MISSED_WARNINGS).map do |key, hash|
        near = Spelling.nearest(key, hash.keys)
        "#{kind(hash)} has no key #{key.to_s[0, 100].inspect}, so it was nil#{near ? "; did you mean #{near.inspect}?" : "."}"
      end
    end

    private

    # Hashes such as metadata have the merchant's own keys, so they are not named.
    def kind(hash)
      return "An operation of tools" if Tool === hash
      return "resources" if Resources === hash
      "The answer of type #{hash["object"]}" if Answer === hash && String === hash.fetch("object", nil)
    end
  end
end
