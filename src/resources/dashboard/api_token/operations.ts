import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { ApiToken } from './api_token.ts'
import { createApiToken } from './create.ts'
import { deleteApiToken } from './delete.ts'
import { requireToken, tokenPage } from './own.ts'
import { deriveTokens } from './show.ts'

const { create, remove } = verbs(ApiToken)

export const apiTokens = resource(ApiToken, {
  derive: deriveTokens,
  dashboard: [
    customList({
      id: 'list_api_tokens',
      method: 'GET',
      path: '/api_tokens',
      summary: 'List API tokens: one’s own, or everybody’s for owners and admins',
      answers: ApiToken,
      query: LIST_PARAMETERS,
      rule: (context, { query }) => tokenPage(context, query),
    }),
    custom({
      id: 'retrieve_api_token',
      method: 'GET',
      path: '/api_tokens/{id}',
      summary: 'Show an API token, without its value',
      answers: ApiToken,
      rule: (context, { path }) => requireToken(context, path.id),
    }),
    create({
      inTurn: true,
      summary: 'Create an API token; its value is shown once',
      callers: ['session'],
      rule: createApiToken,
    }),
    remove({
      summary: 'Delete an API token; it stops working at once',
      callers: ['session'],
      rule: (context, { id }) => deleteApiToken(context, id),
    }),
  ],
})
