import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import { isReserved, RESERVED_PROBLEM } from '../../../contract/values/reserved-names.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { requireUnique } from '../../../records/unique.ts'
import { recountSpend } from '../../audience/customer/figures.ts'
import { isOfService, SHOP_DOMAIN } from '../../content/domain-names.ts'
import { File, type FileRow } from '../../content/file/file.ts'
import { claimed, planCheck } from '../../content/own-domain.ts'
import { hasVatIds, vatIdProblem } from '../../sales/checkout/tax/vat-id.ts'
import { Account, type AccountRow } from './account.ts'
import { wholeBranding } from './brand.ts'
import { domainColumns, domainOf } from './storefront-domain/jobs.ts'

export async function updateAccount(
  context: Context,
  account: AccountRow,
  changes: Changes<typeof Account>,
): Promise<AccountRow> {
  if (changes.subdomain !== undefined && changes.subdomain !== account.subdomain) {
    if (isReserved(changes.subdomain)) throw invalid({ subdomain: [RESERVED_PROBLEM] })
    const taken = ['subdomain', changes.subdomain] as [string, string]
    await requireUnique(context, Account, taken, 'subdomain', { except: account.id, everywhere: true })
  }
  requireVatId({ ...account, ...changes })
  const { storefront_domain: domain } = changes
  if (domain && isOfService(context, domain))
    throw invalid({ storefront_domain: ['belongs to this service; give a domain of your own'] })
  const claim = claimed(domainOf(account), domain)
  const changed = await changeRow(context, Account, account, {
    ...(await withWholeBranding(context, account, changes)),
    ...(claim && domainColumns(claim)),
  })
  if (claim && domain) await planCheck(context, SHOP_DOMAIN, { check: claim.checks, since: context.realNow }, 0)
  if (changed.default_currency !== account.default_currency) await recountSpend(context, changed.default_currency)
  return context.emit(Account, 'updated', changed)
}

/** Throws a 422 when a VAT id is malformed for its country. Any value is accepted for countries with an unknown format. */
function requireVatId({ country, vat_id }: Pick<AccountRow, 'country' | 'vat_id'>): void {
  if (vat_id === null || country === null || !hasVatIds(country)) return
  const problem = vatIdProblem(country, vat_id)
  if (problem !== null) throw invalid({ vat_id: [problem] })
}

async function withWholeBranding(
  context: Context,
  account: AccountRow,
  changes: Changes<typeof Account>,
): Promise<Changes<typeof Account>> {
  if (changes.branding === undefined) return changes
  const before = wholeBranding(account)
  const branding = { ...before, ...changes.branding }
  if (JSON.stringify(branding) === JSON.stringify(before)) return { ...changes, branding: account.branding }
  for (const part of ['logo_file', 'cover_file'] as const) await requirePicture(context, branding[part], part)
  return { ...changes, branding }
}

async function requirePicture(context: Context, id: string | null, part: string): Promise<void> {
  if (id === null) return
  const file = await findRow(context, File, id)
  const problem = file ? problemOf(file) : 'is not the id of a file'
  if (problem !== null) throw invalid({ [`branding.${part}`]: [problem] })
}

function problemOf({ upload_status: status, content_type: type }: FileRow): string | null {
  if (status !== 'ready') return `is not ready: its upload_status is ${status}`
  return PICTURE.test(type ?? '') ? null : 'must be a picture: PNG, JPEG, WebP, AVIF or GIF'
}

const PICTURE = /^image\/(png|jpeg|gif|webp|avif|bmp|apng)$/
