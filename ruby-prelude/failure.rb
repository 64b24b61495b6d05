# Describes an exception in the form that the host reads: type, message, line of the program, and hint.
module Sandbox
  class Failure
    MAX_MESSAGE = 2000
    LOCATIONS = Exception.instance_method(:backtrace_locations)
    BACKTRACE = Exception.instance_method(:backtrace)

    # `path` is the file name with which the code was compiled.
    def initialize(error, code, path = "program")
      @error = error
      @code = code
      @path = path
      @place = /\A#{path}:(\d+):/
    end

    def to_h
      { type: type, message: message, line: line, hint: hint }
    end

    private

    def type
      case @error
      when SyntaxError then "syntax_error"
      when UnknownPath then "unknown_path"
      when RefusedError then "refused"
      when InvalidResult then "invalid_result"
      when NoMemoryError then "memory_limit"
      when Forbidden then "forbidden"
      when Stop then "host_error"
      else removed ? "forbidden" : "ruby_error"
      end
    end

    def removed
      @removed ||= NameError === @error ? Removed.sentence(@error) : nil
    end

    def message
      case @error
      when SyntaxError then syntax_message
      when UnknownPath, RefusedError, RehearsalFailed, InvalidResult, Forbidden, Stop then text
      when NoMemoryError then "The program needed more memory than the sandbox has."
      when SystemStackError then "stack level too deep (SystemStackError)"
      else removed ? "#{text.lines.first&.chomp} in the sandbox" : "#{text} (#{@error.class})"
      end
    end

    # Returns the first message of a syntax error, without its location and the excerpt of the program.
    def syntax_message
      text.lines.first.to_s.chomp.delete_suffix(" or dummy end").sub(@place, "").sub(/\A\s*(?:syntax error,?\s*)?/, "syntax error: ")
    end

    def text
      text = @error.message
      (String === text ? text : @error.class.to_s)[0, MAX_MESSAGE].scrub.gsub("Sandbox::", "")
    rescue StandardError, SystemStackError
      @error.class.to_s
    end

    def line
      return @error.line if UnknownPath === @error
      place = SyntaxError === @error ? @error.message : nil
      place = frame unless place&.match?(@place)
      place ? place[@place, 1]&.to_i : line_of_refused_call
    rescue StandardError
      nil
    end

    # A list that is the result of the program is read after the last line, so the error has only the line of the refused call.
    def line_of_refused_call = RefusedError === @error ? @error.line : nil

    # Backtrace locations are faster than the text of the backtrace, but they are missing if a program has set the backtrace.
    def frame
      place = LOCATIONS.bind_call(@error)&.find { |location| location.path == @path }
      place&.to_s || BACKTRACE.bind_call(@error)&.find { |text| text.match?(@place) }
    end

    def hint
      return @error.hint if UnknownPath === @error
      return "patch changes the fields that it is given." if Forbidden === @error && @error.message == Requests::PUT
      return "use code_execute" if Forbidden === @error && @error.message == Requests::IN_SEARCH
      removed || Hints.for(@error, @code, line)
    end
  end
end
