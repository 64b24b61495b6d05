# Removes Ruby's access to files and processes. The import table blocks it anyway; this file gives programs readable errors.
module Sandbox
  KEPT = %i[
    ArgumentError Array BasicObject Class Comparable Complex Data Date DateTime EOFError Encoding EncodingError Enumerable
    Enumerator Errno Exception FalseClass FiberError Float FloatDomainError FrozenError Hash IOError IndexError Integer
    Interrupt JSON Kernel KeyError LoadError LocalJumpError MatchData Math Method Module NameError NilClass
    NoMatchingPatternError NoMatchingPatternKeyError NoMemoryError NoMethodError NotImplementedError Numeric Object Proc
    RUBY_VERSION Random Range RangeError Rational RefusedError Regexp RehearsalFailed RegexpError RuntimeError Sandbox ScriptError SecurityError Set
    SignalException StandardError StopIteration String Struct Symbol SyntaxError SystemCallError SystemExit
    SystemStackError ThreadError Time TrueClass TypeError UnboundMethod UncaughtThrowError ZeroDivisionError
  ].freeze

  KERNEL = %i[
    ` abort at_exit autoload autoload? binding eval exec exit exit! fork gets load open readline readlines
    require_relative select set_trace_func sleep spawn syscall system test trace_var trap untrace_var __dir__
    global_variables
  ].freeze

  KERNEL.each do |name|
    Kernel.undef_method(name)
    Kernel.singleton_class.undef_method(name) if Kernel.singleton_class.method_defined?(name)
  end
  Kernel.remove_method(:require)
  Kernel.singleton_class.undef_method(:require)
  BasicObject.undef_method(:instance_eval)
  Module.undef_method(:class_eval, :module_eval, :autoload, :autoload?)
  Class.undef_method(:subclasses, :attached_object)
  Proc.undef_method(:binding)
  String.undef_method(:to_js)

  (Object.constants(false) - KEPT).each { |name| Object.send(:remove_const, name) }
end

# Ruby cannot remove global variables, but it can make them aliases of another variable.
$sandbox_nothing = nil
$stdin = nil
%w[$< $FILENAME $* $$ $: $LOAD_PATH $-I $" $LOADED_FEATURES $0 $PROGRAM_NAME].each do |name|
  Sandbox::Runner::EVALUATE.call("alias #{name} $sandbox_nothing", Sandbox::Runner.room)
end

Object.send(:remove_const, :Sandbox)
