# Finds the missing key that caused a nil error, if the text of the program shows it: the key is part of the expression that was nil, or of
# a line that assigned its variable.
module Sandbox
  class NilSource
    VARIABLE = /[@$]*[A-Za-z_]\w*/
    # Matches what a value can be read from: a variable, or an index.
    RECEIVER = /#{VARIABLE}|\[[^\[\]]*\]/
    OPERAND = /(?<![\w.@$])#{VARIABLE}(?![\w.(\[?!])/
    # Matches expressions that return nil if a list is empty or nothing in it matches.
    TAKEN = /(?:#{VARIABLE}|(?<![\w.])\w+\([^()]*\))(?:\[[^\[\]]*\]|\.\w+(?:\([^()]*\))?)*?\.(?:first|last|sample|pop|shift|min_by|max_by|min|max|find|detect)\b(?!\()/
    CHAINED = /\A\s*&?\./

    def initialize(error, code, line)
      @error = error
      @lines = code.lines
      @failing = failing(line)
    end

    def find
      missed = Run.current.missed
      places = missed.empty? ? [] : receivers.flat_map { |receiver| origin(receiver) }
      missed.to_a.reverse.find { |key, _| places.any? { |text| names?(text, key) } }
    end

    # Returns an expression that may be nil because a list was empty or nothing in it matched; nil if there is none.
    def nothing
      receivers.flat_map { |receiver| origin(receiver) }.filter_map { |text| text[TAKEN] }.first
    end

    private

    # Returns the failing line and, if it continues a call, the lines before it.
    def failing(line)
      return "" unless line
      first = line - 1
      first -= 1 while first.positive? && @lines[first]&.match?(CHAINED)
      @lines[first..line - 1].to_a.join
    end

    def receivers
      return [@failing, *@failing.scan(OPERAND)] unless NoMethodError === @error
      found = @failing.scan(/(?:#{RECEIVER})(?=#{call})/)
      found.empty? ? [@failing] : found
    end

    # Returns a pattern that matches the call of the method that nil does not have.
    def call
      name = Regexp.escape(@error.name.to_s)
      return /\[/ if %i[[] []=].include?(@error.name)
      @error.name.match?(/\A\w/) ? /\s*&?\.\s*#{name}(?!\w)/ : /\s*#{name}/
    end

    # Returns the lines that may have assigned a variable. A variable without an assignment is a parameter, so the failing line is searched.
    def origin(receiver)
      return receiver unless receiver.match?(/\A#{VARIABLE}\z/)
      assignment = /(?<![\w.@$])#{Regexp.escape(receiver)}\s*(?:,[\w\s,*]*)?(?:\|\||&&)?=(?![=~>])/
      values = @lines.filter_map { |line| line[/#{assignment}.*/] }
      values.empty? ? @failing : values
    end

    def names?(text, key)
      name = Regexp.escape(key.to_s)
      text.match?(/"#{name}"|'#{name}'|:#{name}(?!\w)/)
    end
  end
end
