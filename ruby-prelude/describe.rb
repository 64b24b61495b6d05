# Implements `describe("order", "POST /refunds", "refund part of an order")`, which returns text about the API for a model to read. The host
# writes the text; the Ruby code here only searches for the operations.
module Sandbox
  module Describe
    MAX_QUESTIONS = 10
    MAX_LENGTH = 200
    FOUND = 10
    # The minimum score of an operation in an answer, as a share of the best score.
    NEAR = 0.5
    MAX_PARTS = 8
    # The host accepts at most this many operations.
    MAX_FOUND = 12
    SEPARATORS = /[,;:.?]\s+|\n+/
    # In a text with more words than this, a conjunction usually separates two tasks; in a shorter text, it usually belongs to one.
    LONG = 8
    # Matches a request for something that should happen automatically after an event, which is what tasks are for.
    TRIGGER = /\A(?:when(?:ever)?|(?:each|every) time|as soon as)\s/i
    # Matches texts that imply an operation without naming it: the first only at the start of a question, the others anywhere.
    IMPLIED = {
      /\A(?:when(?:ever)?|(?:each|every) time|as soon as)\s+(?:some|any)(?:body|one)\b/i => "create a task",
      /\b(?:every|each)\s+(?:night|morning|evening|hour|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i => "create a task",
      /\bsend\b.*\breminder|\b(?:tell|inform|notify|thank|remind|answer|write)\b.*\be-?mails?\b/i => "send an e-mail"
    }.freeze
    CONJUNCTIONS = /\s+(?:and|then|so that)\s+/i
    # Separates the clauses of a text. A single clause may match an operation that the whole text does not match.
    CLAUSES = /\s+(?:without|but|that|which|who|whose|when|whenever|because|until|before|after|while|if|since)\s+/i
    # Matches the words before a question: "tell me which products are sold out".
    ASKING = /\A\W*(?:tell me|show me|find out|check|see|look up)\s+(?=(?:which|what|who|how|whether|when|where)\b)/i
    # Matches a request to read existing rows, such as "get all orders". The verb alone is too vague to say so.
    READING = /\A\W*(?:get|fetch|see|read|pull|download|give me)\s+(?:all|every|each|the|my|our|which)\b/i
    TAKES = "describe takes names of resources, operations such as \"POST /refunds\", or plain words; describe() is the map of everything."

    module_function

    # Returns the text, or prints it if the program does not use the value of the call, so that no answer is lost.
    def answer(what)
      said = text(what)
      at = Run.current.discarded.index(Requests.line)
      return said unless at
      Run.current.discarded.delete_at(at)
      $stdout.puts(said)
    end

    # Returns the line numbers of top-level statements that only call `describe`, except the last one, whose value is the result.
    def discarded(code)
      body = Paths::PARSE.call(code, keep_script_lines: false).children.last
      statements = body.type == :BLOCK ? body.children[...-1].compact : []
      statements.select { |node| %i[FCALL VCALL].include?(node.type) && node.children.first == :describe }.map(&:first_lineno)
    end

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

    # Returns the positions of the best operations. The first `bests` of them each match a part of the question best.
    def found(words)
      return { found: [], bests: 0 } if RESOURCES.key?(words)
      implied = IMPLIED.filter_map { |text, meant| best(meant) if text.match?(words) }
      words = words.sub(ASKING, "")
      head = words.split(CLAUSES, 2).first
      bests = [*bests(parts(words)), *implied, best(words), best(head)].compact.uniq
      clauses = Words.stems(words).size > LONG ? bests(words.split(CLAUSES).first(MAX_PARTS)).compact.uniq : []
      bests = clauses if bests.empty?
      ranked = Search.ranked(words, FOUND)
      whole = ranked.select { |_, score| score >= NEAR * ranked.first.last }.map(&:first)
      { found: [*bests, *clauses, *whole].uniq.first([FOUND + clauses.size, bests.size].max.clamp(..MAX_FOUND)), bests: bests.size }
    end

    # Splits a text that asks for several things: "make a form; tag who fills it in, and thank them".
    def parts(words)
      parts = words.split(SEPARATORS).reject(&:empty?)
      parts = parts.flat_map { |part| part.split(CONJUNCTIONS) } if Words.stems(words).size > LONG
      parts.size > 1 ? parts.first(MAX_PARTS) : []
    end

    # Returns the best operation for each part. A part without a verb continues the one before: "launch a product; a discount code; a link".
    def bests(parts)
      deeds = {}
      parts.map do |part|
        part = "create a task" if part.match?(TRIGGER)
        first = Search.first_deeds(part)
        deeds = first.transform_values { Search::CARRIED } unless first.empty?
        best(part, first.empty? ? deeds : first)
      end
    end

    # Returns the position of the operation that a text is about, or nil.
    def best(words, deeds = {})
      deeds = { "show" => Search::SURE, "list" => Search::SURE } if deeds.empty? && READING.match?(words)
      position, = Search.ranked(words, 1, deeds).first
      position if position && Fit.enough?(words, position)
    end
  end
end
