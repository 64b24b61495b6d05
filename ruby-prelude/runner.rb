# Runs one program: takes its text from the host, evaluates it, and reports its end as JSON.
module Sandbox
  class Runner
    # Made in advance, because making them could itself run out of stack or memory.
    NO_STACK = 'R{"ok":false,"error":{"type":"ruby_error","message":"stack level too deep (SystemStackError)","line":null,"hint":null}}'.freeze
    NO_MEMORY = 'R{"ok":false,"error":{"type":"memory_limit","message":"The program needed more memory than the sandbox has.","line":null,"hint":null}}'.freeze
    COMPILE = RubyVM::InstructionSequence.method(:compile)
    EVALUATE = Kernel.method(:eval)

    class << self
      attr_accessor :room
    end

    def run
      kind, code = Bridge.ask("P").split("\n", 2)
      Run.current = Run.new(kind)
      Bridge.tell("R#{JSON.generate(outcome(code), max_nesting: 0)}")
    rescue NoMemoryError
      Bridge.tell(NO_MEMORY)
    rescue SystemStackError
      Bridge.tell(NO_STACK)
    end

    private

    def outcome(code)
      srand
      check(code)
      plain = Plain.new("result")
      value = plain.convert(EVALUATE.call("->(){#{code}\n}", Runner.room, "program", 1).call)
      { ok: true, value: value, warnings: plain.warnings + Run.current.warnings, overlooked: Run.current.overlooked, returned: Run.current.returned }
    rescue NoMemoryError
      raise
    rescue Exception => error
      { ok: false, error: Failure.new(error, code).to_h, overlooked: Run.current.overlooked }
    end

    # Compiles the program alone first, so that one that closes the lambda around it is a syntax error.
    def check(code)
      COMPILE.call(code, "program", "program", 1)
      Paths.check(code) if Run.current.may_request?
    end
  end
end
