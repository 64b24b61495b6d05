import type { SiteBrief, SiteBuilder } from '../../../outside/building/provider.ts'
import type { Context } from '../../../records/context.ts'
import { hasModel } from '../../company/account/own_model.ts'

/** Who builds a site of this brief: briefs are for a model where the service or the account has one. */
export async function findBuilder(context: Context, brief: SiteBrief): Promise<SiteBuilder> {
  return context.services.builders.find(brief, { model: await hasModel(context) })
}
