import { z } from 'zod'
import { flag, structure } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'
import type { Difference } from '../../../contract/declarations/planned-change.ts'
import type { Json } from '../../../contract/values/json.ts'
import type { COMMITTED, RunChanges } from '../program_run/program_run.ts'

/** What the tools answer that run programs: the result, or why there is none. */
interface ToolAnswer {
  error?: { type: string; message: string; line: number | null; source: string | null; hint: string | null }
  committed?: (typeof COMMITTED)[number]
  warnings?: string[]
  result?: Json
  output?: string
  /** How many resources changed, by event type. */
  changed?: Record<string, number>
  /** What a dry run would have changed. */
  changes?: RunChanges
  plan?: string
  /** Where the run of a plan would do otherwise than planned; a note stands for what was cut. */
  differences?: (Difference | string)[]
}

export const ProgramAnswer = answerNoun('program_answer', {
  group: 'ProgramRuns',
  description: 'The result of running a program.',
  fields: {
    failed: flag('Whether it failed', false),
    answer: structure<ToolAnswer>(
      'object',
      z.custom<ToolAnswer>(),
      'Answer of the tool: its result, printed text and changes, or its error',
      { committed: 'all', changed: { 'tag.created': 1 }, result: 'VIP' },
    ),
  },
})
