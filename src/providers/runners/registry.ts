import { modelRunner } from './language-model/language-model.ts'
import type { RunnerParts, TaskRunners } from './provider.ts'
import { rubyRunner } from './ruby/ruby.ts'

/** Creates the runners. The first one that accepts a prompt carries out the run. */
export function createRunners(parts: RunnerParts): TaskRunners {
  const runners = [rubyRunner(parts.runProgram), modelRunner(parts)]
  return {
    find: (prompt, { model }) => runners.find((runner) => (model || !runner.needsModel) && runner.takes(prompt)),
  }
}
