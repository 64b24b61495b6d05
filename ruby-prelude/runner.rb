# Runs a program: gets its text from the host, evaluates it, and reports the result or the error as JSON.
module Sandbox
  class Runner
    # These reports are created in advance, because creating them could itself exhaust the stack or the memory.
    NO_STACK = 'R{"ok":false,"error":{"type":"ruby_error","message":"stack level too deep (SystemStackError)","line":null,"hint":null}}'.freeze
    NO_MEMORY = 'R{"ok":false,"error":{"type":"memory_limit","message":"The program needed more memory than the sandbox has.","line":null,"hint":null}}'.freeze
    COMPILE = RubyVM::InstructionSequence.method(:compile)
    EVALUATE = Kernel.method(:eval)
    ALONE = /\}|\b(?:break|next|redo)\b/

    class << self
      attr_accessor :room

      # Compiles the code as the body of a lambda, so that `return` works. Code that may have another meaning in a lambda is first compiled
      # alone: code that closes the lambda or jumps out of it is then a syntax error.
      def compile(code, path = "program", parameter = "")
        compile_alone(code, path) if ALONE.match?(code)
        EVALUATE.call("->(#{parameter}){#{code}\n}", room, path, 1)
      rescue SyntaxError
        compile_alone(code, path) # Raises a SyntaxError whose message does not mention the lambda.
        raise
      end

      private

      def compile_alone(code, path) = COMPILE.call(code, path, path, 1)
    end

    # The random numbers are seeded before the host sends a program, so that the seeding delays no program.
    def run
      srand
      kind, code = Bridge.ask("P").split("\n", 2)
      Run.current = Run.new(kind)
      Bridge.tell("R#{JSON.generate(outcome(code), max_nesting: 0)}")
    rescue NoMemoryError
      Bridge.tell(NO_MEMORY)
    rescue SystemStackError
      Bridge.tell(NO_STACK)
    end

    # Removes the state of the warm-up programs, so that it does not become part of the snapshot.
    def forget
      Run.current = nil
    end

    private

    def outcome(code)
      Run.current.code = code
      program = Runner.compile(code)
      Paths.check(code) if Run.current.may_request?
      Arguments.define(code)
      plain = Plain.new("result")
      value = plain.convert(program.call)
      { ok: true, value: value, warnings: plain.warnings + Run.current.warnings, overlooked: Run.current.overlooked, returned: Run.current.returned }
    rescue NoMemoryError
      raise
    rescue Exception => error
      { ok: false, error: Failure.new(error, code).to_h, overlooked: Run.current.overlooked }
    end
  end
end
