import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { removeOwnModel, setOwnModel, showModelSettings } from './change.ts'
import { ModelSettings, OWN_MODEL } from './model-settings.ts'

/** Calling a model costs money, so only signed-in people may see or change these settings. */
const BY_ADMINS = { callers: ['session'], path: '/model_settings', answers: ModelSettings } as const

export const modelSettings = resource(ModelSettings, {
  dashboard: [
    custom({
      ...BY_ADMINS,
      id: 'retrieve_model_settings',
      method: 'GET',
      summary: 'Show which model the account asks',
      rule: showModelSettings,
    }),
    custom({
      ...BY_ADMINS,
      id: 'set_own_model',
      method: 'PATCH',
      summary: 'Set the account’s own model',
      body: OWN_MODEL,
      inTurn: true,
      rule: setOwnModel,
    }),
    custom({
      ...BY_ADMINS,
      id: 'remove_own_model',
      method: 'DELETE',
      summary: 'Forget the account’s own model',
      rule: removeOwnModel,
    }),
  ],
})
