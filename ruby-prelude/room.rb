# The binding in which programs are evaluated: Ruby's top level, with our own output. It must not be inside a module.
Sandbox::Runner.room = binding
$stdout = $stderr = Sandbox::Output.new
$VERBOSE = nil
