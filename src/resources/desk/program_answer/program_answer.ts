import { z } from 'zod'
import { flag, structure } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

export const ProgramAnswer = answerNoun('program_answer', {
  group: 'ProgramRuns',
  description: 'What a run of a program answers.',
  fields: {
    failed: flag('Whether it failed', false),
    answer: structure<Record<string, unknown>>(
      'object',
      z.custom<Record<string, unknown>>(),
      'What the tool answers: its result, what it printed and changed, or its error',
      { committed: 'all', changed: { 'tag.created': 1 }, result: 'VIP' },
    ),
  },
})
