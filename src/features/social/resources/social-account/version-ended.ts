import type { Context } from '../../../../records/context.ts'
import type { JobContext } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { VersionEndedError } from '../../providers/provider.ts'
import { SocialAccount } from './social-account.ts'

/** Warns the operator that a platform no longer accepts the API version in use, and shows people the error on the account. */
export async function noteVersionEnded(job: JobContext, id: string, { message, version }: VersionEndedError) {
  job.warn({ socialAccount: id, version, reason: message }, 'A version of an API has ended')
  await job.transaction(async (context) => {
    const account = await findRow(context, SocialAccount, id)
    if (!account || (account.ended_version === version && account.error_message === message)) return
    await context.remember(SocialAccount, [account])
    const noted = await changeRow(context, SocialAccount, account, { ended_version: version, error_message: message })
    context.emit(SocialAccount, 'updated', noted)
  })
}

/** Returns the platforms that no longer accept the API version in use, according to accounts of this shop. */
export async function platformsWithEndedVersion(context: Context): Promise<Set<string>> {
  const noted = await rowsOf(context, 'social_accounts')
    .select(['platform', 'provider', 'ended_version'])
    .where('ended_version', 'is not', null)
    .execute()
  const { social } = context.services
  return new Set(
    noted
      .filter(({ provider, ended_version }) => social.named(provider).apiVersion?.version === ended_version)
      .map(({ platform }) => platform),
  )
}
