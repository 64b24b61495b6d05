import { z } from 'zod'
import { flag, structure } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const ProgramAnswer = answerNoun('program_answer', {
  group: 'ProgramRuns',
  description: 'The result of running a program.',
  fields: {
    failed: flag('Whether it failed', false),
    answer: structure<Record<string, unknown>>(
      'object',
      z.custom<Record<string, unknown>>(),
      'Answer of the tool: its result, printed text and changes, or its error',
      { committed: 'all', changed: { 'tag.created': 1 }, result: 'VIP' },
    ),
  },
})
