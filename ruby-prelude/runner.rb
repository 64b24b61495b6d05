# Runs a program: gets its text from the host, evaluates it, and reports the end as JSON.
module Sandbox
  class Runner
    # Created in advance, because creating them could itself run out of stack or memory.
    NO_STACK = 'R{"ok":false,"error":{"type":"ruby_error","message":"stack level too deep (SystemStackError)","line":null,"hint":null}}'.freeze
    NO_MEMORY = 'R{"ok":false,"error":{"type":"memory_limit","message":"The program needed more memory than the sandbox has.","line":null,"hint":null}}'.freeze
    COMPILE = RubyVM::InstructionSequence.method(:compile)
    EVALUATE = Kernel.method(:eval)
    ALONE = /\}|\b(?:break|next|redo)\b/

    class << self
      attr_accessor :room

      # Compiles the code as a lambda, so that it can return. Code that might have another meaning inside one is first compiled alone:
      # closing the lambda or jumping out of it is then a syntax error.
      def compile(code, path = "program", parameter = "")
        compile_alone(code, path) if ALONE.match?(code)
        EVALUATE.call("->(#{parameter}){#{code}\n}", room, path, 1)
      rescue SyntaxError
        compile_alone(code, path) # This message does not speak of the lambda.
        raise
      end

      private

      def compile_alone(code, path) = COMPILE.call(code, path, path, 1)
    end

    # Seeds first, because the host may reply much later: work before the reply delays no program.
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

    # Nothing of the warm-up programs may get into the snapshot; the run is the only state.
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
