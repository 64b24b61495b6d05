import { z } from 'zod'
import { integer, longText, structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'
import type { Json } from '../../../contract/values/json.ts'

const MAX_ANSWER = 20_000
const MAX_CODE = 200_000

export const Question = answerNoun('question', {
  group: 'ProgramRuns',
  area: 'programs',
  description: 'What the model of the service answers to a question about the shop.',
  fields: {
    text: longText('The answer in words', MAX_ANSWER, 'In October you earned $160.00.'),
    code: longText('The program that it comes from', MAX_CODE, 'list("/orders").count').nullable('none was needed'),
    result: structure<Json>('object', z.custom<Json>(), 'Result of the program', [
      { product: 'Tea', net_usd: 160 },
    ]).nullable('none'),
    plan: text('The plan of what was asked to be changed', { example: exampleId('plan') }).nullable(
      'nothing is to change',
    ),
    input_tokens: integer('Number of input tokens of the model', { min: 0, example: 0 }),
    output_tokens: integer('Number of output tokens of the model', { min: 0, example: 0 }),
  },
})
