# Everything that the prelude remembers of the program that runs. It is one object, and each program starts with a new
# one, so that nothing of a warm-up program reaches the snapshot and nothing of a program reaches the next.
module Sandbox
  class Run
    class << self
      attr_accessor :current
    end

    # The refused calls, and what was looked up in vain: the missing key and the hash that lacks it.
    attr_reader :refused_calls, :missed

    def initialize(kind)
      @may_request = kind == "execute"
      @refused_calls = []
      @missed = {}
    end

    def may_request? = @may_request

    # The ordinals of the refused calls that the program never looked at.
    def overlooked = @refused_calls.reject(&:looked_at).map(&:ordinal)
  end
end
