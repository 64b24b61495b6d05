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

    # The operations that fit best, and whether the first one is about what is asked. A text of several parts asks for each.
    def found(words)
      return { found: [], fits: true } if RESOURCES.key?(words)
      whole = Search.ranked(words, FOUND).map(&:first)
      bests = [*parts(words), words].filter_map { |part| best(part) }.uniq
      { found: [*bests, *whole].uniq.first(FOUND), fits: !bests.empty? }
    end

    def parts(words)
      parts = words.split(/[,;:.?]\s+|\n+/).reject(&:empty?)
      parts.size > 1 ? parts.first(FOUND) : []
    end

    # The operation that is about a text, or nil.
    def best(words)
      position, = Search.ranked(words, 1).first
      position if position && Fit.enough?(words, position)
    end
  end
end
