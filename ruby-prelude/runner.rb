# Runs one program: takes its text from the host, evaluates it, and reports its end as JSON.
module Sandbox
  class Runner
    # Made in advance, because making them could itself run out of stack or memory.
    NO_STACK = 'R{"ok":false,"error":{"type":"ruby_error","message":"stack level too deep (SystemStackError)","line":null,"hint":null}}'.freeze
    NO_MEMORY = 'R{"ok":false,"error":{"type":"memory_limit","message":"The program needed more memory than the sandbox has.","line":null,"hint":null}}'.freeze
    COMPILE = RubyVM::InstructionSequence.method(:compile)
    EVALUATE = Kernel.method(:eval)
    ALONE = /\}|\b(?:break|next|redo)\b/

    class << self
      attr_accessor :room
    end

    # Seeds before it asks, because the host may answer much later: what comes first makes no program wait.
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

    # Nothing of the programs that warm the interpreter up may reach the snapshot; all that is remembered of one is its run.
    def forget
      Run.current = nil
    end

    private

    def outcome(code)
      Run.current.code = code
      program = compile(code)
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

    # The program as a lambda, so that it can return. A program that has another meaning inside one is compiled alone first:
    # one that closes the lambda, or jumps out of it, is a syntax error.
    def compile(code)
      compile_alone(code) if ALONE.match?(code)
      EVALUATE.call("->(){#{code}\n}", Runner.room, "program", 1)
    rescue SyntaxError
      compile_alone(code) # This message does not speak of the lambda.
      raise
    end

    def compile_alone(code) = COMPILE.call(code, "program", "program", 1)
  end
end
