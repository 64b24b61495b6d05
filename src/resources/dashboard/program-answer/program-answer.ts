import { z } from 'zod'
import { flag, structure } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'
import type { Difference } from '../../../contract/declarations/planned-change.ts'
import type { Json } from '../../../contract/values/json.ts'
import type { COMMITTED, RunChanges } from '../program-run/program-run.ts'

/** The response of the MCP tools, which run Ruby programs. */
interface ToolAnswer {
  error?: { type: string; message: string; line: number | null; source: string | null; hint: string | null }
  /** `batch` as long as more batches of a background program follow. */
  committed?: (typeof COMMITTED)[number] | 'batch'
  warnings?: string[]
  result?: Json
  output?: string
  /** The number of changed resources by event type. */
  changed?: Record<string, number>
  /** The changes that a dry run would have made. */
  changes?: RunChanges
  plan?: string
  /** The differences between a plan and its execution. A string replaces entries that were cut off. */
  differences?: (Difference | string)[]
}

export const ProgramAnswer = answerNoun('program_answer', {
  group: 'ProgramRuns',
  area: 'programs',
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
