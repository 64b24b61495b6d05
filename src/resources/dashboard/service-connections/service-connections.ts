import { z } from 'zod'
import { structure } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const Connected = z.object({
  what: z.string().describe('What it is for'),
  state: z
    .enum(['ready', 'simulated', 'missing', 'outdated'])
    .describe(
      'ready: it reaches outside; simulated: nothing leaves the service; missing: it is refused; outdated: the platform refuses the version of its API',
    ),
  words: z.string().describe('What happens now, in a sentence'),
  set_up: z.array(z.string()).describe('What people of the account do until it is ready'),
  for_operator: z.array(z.string()).describe('What whoever runs the service does until it is ready'),
})
export type Connected = z.infer<typeof Connected>

export const ServiceConnections = answerNoun('service_connections', {
  group: 'Account',
  area: 'settings',
  description:
    'What of the service reaches outside, and what is missing. Most of it is set up by whoever runs the service.',
  fields: {
    connections: structure('array', z.array(Connected), 'Each kind of connection', [
      {
        what: 'Payments',
        state: 'simulated',
        words: 'Buyers pay with test cards.',
        set_up: [],
        for_operator: ['Set the key of the provider.'],
      },
    ]),
  },
})
