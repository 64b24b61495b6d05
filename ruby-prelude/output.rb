# Sends printed text to the host at once, so that it is not lost when the program is killed.
module Sandbox
  class Output
    def write(*values)
      values.sum do |value|
        text = value.to_s
        next hold(text) if Run.current&.held
        Bridge.tell("W#{text.encode("UTF-8", invalid: :replace, undef: :replace)}")
        text.bytesize
      end
    end

    def print(*values)
      write(*values)
      nil
    end

    def <<(value)
      write(value)
      self
    end

    def puts(*values)
      return print("\n") if values.empty?
      values.each { |value| line(value) }
      nil
    end

    def p(*values)
      values.each { |value| write(value.inspect, "\n") }
      values.size > 1 ? values : values.first
    end

    def printf(format, *values)
      print(format(format, *values))
    end

    def putc(value)
      print(value.is_a?(Integer) ? value.chr : value.to_s[0])
      value
    end

    def flush = self
    def sync = true
    def sync=(value)
      value
    end
    def tty? = false
    alias isatty tty?
    def inspect = "#<Output>"

    private

    def hold(text)
      Run.current.held << text.encode("UTF-8", invalid: :replace, undef: :replace)
      text.bytesize
    end

    def line(value)
      return value.each { |item| line(item) } if value.is_a?(Array)
      text = value.to_s
      print(text.end_with?("\n") ? text : "#{text}\n")
    end
  end
end
