import type { RunProgram, TaskRunners } from './provider.ts'
import { rubyRunner } from './ruby/ruby.ts'

/** The runners that the service has. Each run is for the first one that takes its prompt. */
export function createRunners(runProgram: RunProgram): TaskRunners {
  const runners = [rubyRunner(runProgram)]
  return { find: (prompt) => runners.find((runner) => runner.takes(prompt)) }
}
