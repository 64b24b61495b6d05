# The binding in which programs are evaluated is Ruby's top level, so this line must not be inside a module.
Sandbox::Runner.room = binding
$stdout = $stderr = Sandbox::Output.new
$VERBOSE = nil
