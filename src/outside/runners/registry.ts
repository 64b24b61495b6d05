import { modelRunner } from './plain-words/plain-words.ts'
import type { AgentTools, RunProgram, SearchCatalogue, TaskRunners } from './provider.ts'
import { rubyRunner } from './ruby/ruby.ts'

export interface RunnerParts {
  runProgram: RunProgram
  searchCatalogue: SearchCatalogue
  agentTools: AgentTools
}

/** The runners that the service has. Each run is for the first one that takes its prompt. */
export function createRunners(parts: RunnerParts): TaskRunners {
  const runners = [rubyRunner(parts.runProgram), modelRunner(parts)]
  return {
    find: (prompt, { model }) => runners.find((runner) => (model || !runner.needsModel) && runner.takes(prompt)),
  }
}
