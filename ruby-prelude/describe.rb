# `describe("order", "POST /refunds", "refund part of an order")`: text about the API for a model to read. The host writes it;
# here words are looked up.
module Sandbox
  module Describe
    MAX_QUESTIONS = 10
    MAX_LENGTH = 200
    FOUND = 5
    TAKES = "describe takes names of resources, operations such as \"POST /refunds\", or plain words; describe() is the map of everything."

    module_function

    def text(what)
      what = [] if what == [:all]
      raise ArgumentError, "describe takes at most #{MAX_QUESTIONS} things, not #{what.size}; ask again for the others" if what.size > MAX_QUESTIONS
      reply = Bridge.ask("D#{JSON.generate(what.map { |one| question(one) })}")
      raise Stop, reply[1..] unless reply.start_with?("A")
      reply.byteslice(1, reply.bytesize)
    end

    def question(what)
      what = what.name if Symbol === what
      raise ArgumentError, "#{TAKES} It got #{Plain::CLASS.bind_call(what)}." unless String === what
      words = Plain.new("describe").convert(what).strip
      raise ArgumentError, TAKES if words.empty?
      raise ArgumentError, "describe takes at most #{MAX_LENGTH} characters in one text, not #{words.size}" if words.size > MAX_LENGTH
      { what: words, **found(words) }
    end

    # The operations that fit best, and whether the first one is about what is asked.
    def found(words)
      return { found: [], fits: true } if RESOURCES.key?(words)
      positions = Search.ranked(words, FOUND).map(&:first)
      { found: positions, fits: !positions.empty? && Fit.enough?(words, positions.first) }
    end
  end
end
