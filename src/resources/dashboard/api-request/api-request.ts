import { integer, oneOf, text, texts } from '../../../contract/declarations/kinds.ts'
import { noun, readOnly } from '../../../contract/declarations/noun.ts'

export const ApiRequest = noun('api_request', {
  prefix: 'req',
  group: 'Developers',
  area: 'developers',
  description:
    'An API request that was answered, over REST or from an agent. The latest 10,000 are kept for 7 days, without bodies.',
  immutable: true,
  hidden: {
    caller: text('Id of the token or connection'),
    user_id: text('The user it acted for').nullable(),
  },
  fields: readOnly({
    transport: oneOf(['rest', 'mcp'], 'rest: the API; mcp: the endpoint of agents'),
    method: text('HTTP method', { max: 10, example: 'POST' }),
    path: text('Path, without its query', { max: 300, example: '/v1/products' }),
    operation: text('Operation that answered', { max: 200, example: 'create_product' }).nullable(
      'no operation has the path and method',
    ),
    status: integer('HTTP status of the response', { unit: 'HTTP status', example: 201 }),
    error_code: text('Error code', { max: 100, example: null }).nullable('no error'),
    error_message: text('What was wrong', { max: 500, example: null }).nullable('no error'),
    parameters: texts('Names of the invalid parameters', { example: [] }),
    duration_ms: integer('Time to the response', { min: 0, unit: 'milliseconds', example: 3 }),
    left_out: integer('Further requests in the same second that were not kept', { min: 0, example: 0 }),
    token_id: text('Id of the token or connection that sent it', { example: 'token_…' }).derived(),
    token_name: text('Name of the token or connection', { example: 'My agent' }).nullable('deleted').derived(),
    user_name: text('Name of the person it acted for', { example: 'Ada Lovelace' })
      .nullable('no longer in the account')
      .derived(),
  }),
})
