import type { Models } from '../models/provider.ts'
import { modelRunner } from './plain-words/plain-words.ts'
import type { AgentTools, RunProgram, SearchCatalogue, TaskRunners } from './provider.ts'
import { rubyRunner } from './ruby/ruby.ts'

export interface RunnerParts {
  runProgram: RunProgram
  searchCatalogue: SearchCatalogue
  agentTools: AgentTools
  /** Null where no model is set up: prompts in plain words then wait for an outside agent. */
  models: Models | null
}

/** The runners that the service has. Each run is for the first one that takes its prompt. */
export function createRunners({ models, ...parts }: RunnerParts): TaskRunners {
  const runners = [rubyRunner(parts.runProgram), ...(models ? [modelRunner({ ...parts, models })] : [])]
  return { find: (prompt) => runners.find((runner) => runner.takes(prompt)) }
}
