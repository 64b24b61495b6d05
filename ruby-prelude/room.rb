# Where programs are evaluated: Ruby's own top level, with an output of ours. Loaded outside of any module.
Sandbox::Runner.room = binding
$stdout = $stderr = Sandbox::Output.new
$VERBOSE = nil
