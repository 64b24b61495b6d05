# Everything that the prelude remembers of the program that runs. It is one object, and each program starts with a new
# one, so that nothing of a warm-up program reaches the snapshot and nothing of a program reaches the next.
module Sandbox
  class Run
    class << self
      attr_accessor :current
    end

    # The refused calls, and what was looked up in vain: the missing key and the hash that lacks it.
    attr_reader :refused_calls, :missed
    # The clocks of zones, by zone and day.
    attr_reader :clocks
    # What the program of a rehearsed task has printed; nil when none is rehearsed.
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

    # The ordinals of the refused calls that the program never looked at.
    def overlooked = @refused_calls.reject(&:looked_at).map(&:ordinal)

    # The ordinals of the refused calls whose answers are part of the program's value.
    def returned = @refused_calls.select(&:returned).map(&:ordinal)

    MISSED_WARNINGS = 5
    # Programs ask every answer for its error.
    ASKED_IN_VAIN = ["error", :error].freeze

    NOTES = 5

    # Keeps what a word of the sandbox has to say besides its value.
    def note(sentence)
      @notes << sentence if @notes.size < NOTES && !@notes.include?(sentence)
    end

    # A key that an object of the API does not have reads as nil, and a total made of nils is silently wrong.
    def warnings
      odd = @missed.select { |key, hash| (String === key || Symbol === key) && !ASKED_IN_VAIN.include?(key) && kind(hash) }
      @notes + odd.first(MISSED_WARNINGS).map do |key, hash|
        near = Spelling.nearest(key, hash.keys)
        "#{kind(hash)} has no key #{key.to_s[0, 100].inspect}, so it was nil#{near ? "; did you mean #{near.inspect}?" : "."}"
      end
    end

    private

    # Hashes such as metadata have the merchant's own keys.
    def kind(hash)
      return "An operation of tools" if Tool === hash
      return "resources" if Resources === hash
      "The answer of type #{hash["object"]}" if Answer === hash && String === hash.fetch("object", nil)
    end
  end
end
