# Converts the result of a program to JSON values. It never calls `inspect`, `==` or `to_json` of the program's objects, and it loops with
# `while`, because nested blocks would use up the small machine stack.
module Sandbox
  class InvalidResult < Exception; end

  class Plain
    MAX_DEPTH = 100
    MAX_ITEMS = 100_000
    MAX_NODES = 1_000_000
    EXACT_INTEGERS = -(2**53 - 1)..(2**53 - 1)
    PAIRS = Hash.instance_method(:to_a)
    CLASS = Kernel.instance_method(:class)
    NOT_THE_PROGRAMS = [Kernel, Object, BasicObject, Proc, Method, UnboundMethod].freeze

    attr_reader :warnings

    def initialize(root)
      @root = root
      @path = []
      @open = {}.compare_by_identity
      @nodes = 0
      @warnings = []
    end

    def convert(value)
      @nodes += 1
      fail_with("has more than #{MAX_NODES} values") if @nodes > MAX_NODES
      case value
      when nil, true, false then value
      when Integer then integer(value)
      when String then string(value)
      when Symbol then string(value.name)
      when Float then float(value)
      when Hash then within(value) { object(value) }
      when Array then within(value) { array(value) }
      else other(value)
      end
    end

    private

    def integer(value)
      return value if EXACT_INTEGERS.cover?(value)
      warn_of("is an integer beyond 2^53 and is given as a string")
      value.to_s
    end

    def float(value)
      return value if value.finite?
      warn_of("was #{value} and is given as null")
      nil
    end

    def string(value)
      text = String.new(value)
      text = Encoding::BINARY == text.encoding ? text.force_encoding("UTF-8") : text.encode("UTF-8") rescue text.force_encoding("UTF-8")
      return text if text.valid_encoding?
      warn_of("is not valid UTF-8; its bad bytes were replaced")
      text.scrub
    end

    def object(hash)
      hash = hash.__send__(:give_back) if Refusal === hash
      plain = {}
      pairs = PAIRS.bind_call(hash)
      index = 0
      while index < pairs.size
        key, value = pairs[index]
        name = key(key)
        @path << name
        plain[name] = convert(value)
        @path.pop
        index += 1
      end
      plain
    end

    def key(key)
      case key
      when String then string(key)
      when Symbol then string(key.name)
      when Integer, Float, nil, true, false, Date, Time, Module, Rational then key.to_s
      else text_of(key, CLASS.bind_call(key))
      end
    end

    def array(values)
      plain = []
      index = 0
      while index < values.size
        @path << index
        plain << convert(values[index])
        @path.pop
        index += 1
      end
      plain
    end

    def other(value)
      case value
      when Range then range(value)
      when Time then value.iso8601(value.nsec.zero? ? 0 : 3)
      when DateTime, Date then value.iso8601
      when Struct then within(value) { object(value.members.zip(value.values).to_h) }
      when Data then within(value) { object(value.to_h) }
      when Groups then within(value) { object(value.to_h) }
      when Enumerable then within(value) { items(value) }
      when Rational then value.denominator == 1 ? integer(value.numerator) : float(value.to_f)
      when Exception then string("#{value.class}: #{value.message}")
      when Module then string(value.to_s)
      when Complex, Regexp, MatchData, Encoding then string(value.to_s)
      else custom(value)
      end
    end

    def range(value)
      return string(value.to_s) if Period === value || !value.begin.respond_to?(:succ)
      fail_with("is an endless range") if value.end.nil? || value.end == Float::INFINITY
      items(value)
    end

    def items(values)
      taken = []
      values.each do |*item|
        fail_with("has more than #{MAX_ITEMS} items or no end") if taken.size >= MAX_ITEMS
        taken << (item.size > 1 ? item : item.first)
      end
      array(taken)
    end

    def custom(value)
      type = CLASS.bind_call(value)
      return within(value) { convert(value.to_h) } if defined_by_program?(type, :to_h)
      string(text_of(value, type))
    end

    # Returns the text of an object whose class defines `to_s`. Ruby's own `to_s` only contains an address, so it is not used.
    def text_of(value, type)
      return value.to_s if defined_by_program?(type, :to_s)
      fail_with("is an object of the class #{type}, which cannot become JSON; return a hash of its values")
    end

    def defined_by_program?(type, name)
      type.method_defined?(name) && !NOT_THE_PROGRAMS.include?(type.instance_method(name).owner)
    end

    def within(value)
      fail_with("contains itself") if @open[value]
      fail_with("is nested deeper than #{MAX_DEPTH} levels") if @open.size >= MAX_DEPTH
      @open[value] = true
      plain = yield
      @open.delete(value)
      plain
    end

    def place = @root + @path.map { |step| step.is_a?(Integer) ? "[#{step}]" : "[#{step[0, 100].inspect}]" }.join

    def warn_of(text)
      @warnings << "#{place} #{text}" if @warnings.size < 10
    end

    def fail_with(text)
      raise InvalidResult, "#{place} #{text}"
    end
  end

  # Converts the parameters of a call. It raises if they contain a refused call's response, which would be sent in place of a record.
  class ParameterPlain < Plain
    private

    def object(hash) = Refusal === hash ? hash.__send__(:refuse) : super
  end
end
