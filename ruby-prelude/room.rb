# The place where programs are evaluated: Ruby's top level, with our own output. Must not be inside a module.
Sandbox::Runner.room = binding
$stdout = $stderr = Sandbox::Output.new
$VERBOSE = nil
