import type { TaskRunners } from './provider.ts'
import { type RunProgram, rubyRunner } from './ruby/ruby.ts'

/** The runners that the service has. A further one is a file that is named here. */
export function createRunners(runProgram: RunProgram): TaskRunners {
  const runners = [rubyRunner(runProgram)]
  return { find: (prompt) => runners.find((runner) => runner.takes(prompt)) }
}
