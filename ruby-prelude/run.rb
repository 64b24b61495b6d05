# All state that the prelude keeps about the running program. Each program has a new object, so that the snapshot contains nothing
# of the warm-up programs and no program sees the state of an earlier one.
module Sandbox
  class Run
    class << self
      attr_accessor :current
    end

    # `missed` contains the missing keys that the program has read, each with the hash that lacks the key.
    attr_reader :refused_calls, :missed
    # Cached zones with their UTC offsets, by zone and day.
    attr_reader :clocks
    # The text that a task's program prints during its rehearsal; nil outside of a rehearsal.
    attr_accessor :held
    attr_accessor :code

    def initialize(kind)
      @may_request = kind == "execute"
      @refused_calls = []
      @missed = {}
      @notes = []
      @clocks = {}
    end

    def may_request? = @may_request

    # The line numbers of calls of `describe` whose text the program does not use.
    def discarded = @discarded ||= Describe.discarded(code)

    # The ordinal numbers of refused calls whose response the program ignored.
    def overlooked = @refused_calls.reject(&:looked_at).map(&:ordinal)

    # The ordinal numbers of refused calls whose responses are part of the result.
    def returned = @refused_calls.select(&:returned).map(&:ordinal)

    MISSED_WARNINGS = 5
    # Keys whose absence is normal, because programs check every response for an error.
    ASKED_IN_VAIN = ["error", :error].freeze

    NOTES = 5

    def note(sentence)
      @notes << sentence if @notes.size < NOTES && !@notes.include?(sentence)
    end

    # A missing key reads as nil, so a sum over it would be wrong without any error.
    def warnings
      odd = @missed.select { |key, hash| (String === key || Symbol === key) && !ASKED_IN_VAIN.include?(key) && kind(hash) }
      @notes + odd.first(MISSED_WARNINGS).map do |key, hash|
        near = Spelling.nearest(key, hash.keys)
        "#{kind(hash)} has no key #{key.to_s[0, 100].inspect}, so it was nil#{near ? "; did you mean #{near.inspect}?" : "."}"
      end
    end

    private

    # Returns the kind of an API object, or nil for hashes such as metadata, whose keys the merchant chooses.
    def kind(hash)
      return "An operation of tools" if Tool === hash
      return "resources" if Resources === hash
      "The answer of type #{hash["object"]}" if Answer === hash && String === hash.fetch("object", nil)
    end
  end
end
