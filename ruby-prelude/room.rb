# The binding in which programs are evaluated: Ruby's top level, so this line must not be inside a module. The next line redirects output.
Sandbox::Runner.room = binding
$stdout = $stderr = Sandbox::Output.new
$VERBOSE = nil
