import { type Color, isColor, readableOn, textOn } from '../../../contract/values/colors.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import type { AccountRow } from '../../company/account/account.ts'
import { FONT_STACKS, wholeBranding } from '../../company/account/brand.ts'
import { fileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'
import { isForBuyers } from '../../content/file/uses.ts'
import { storefrontOf } from '../../content/storefront-url.ts'
import { PAPERS, USUAL } from './templates/html.ts'
import type { Brand, Shop } from './templates/letter.ts'

export function shopOf({ name, support_email: supportEmail, timezone: timeZone }: AccountRow): Shop {
  return { name, supportEmail, timeZone }
}

/** Adds the branding and, for a customer, the URL of the page with all purchases. */
export async function buyersShop(context: Context, account: AccountRow, customer: string | null): Promise<Shop> {
  const brand = await letterBrandOf(context, account)
  const purchasesUrl = `${storefrontOf(context, account)}/access`
  return { ...shopOf(account), ...(brand && { brand }), ...(customer !== null && { purchasesUrl }) }
}

/** The colors are readable on light and dark screens. Null if the shop has no branding. */
async function letterBrandOf(context: Context, account: AccountRow): Promise<Brand | null> {
  const { logo_file, color, font } = wholeBranding(account)
  if (logo_file === null && color === null && font === 'system') return null
  const logo = logo_file === null ? null : await logoUrl(context, logo_file)
  const tones = color === null || !isColor(color) ? USUAL : tonesOf(color)
  return { ...tones, font: font === 'system' ? null : FONT_STACKS[font], logo }
}

function tonesOf(color: Color): Pick<Brand, 'light' | 'dark'> {
  const [link, onDark] = [readableOn(color, PAPERS.light), readableOn(color, PAPERS.dark)]
  return {
    light: { button: color, onButton: textOn(color), link },
    dark: { button: onDark, onButton: textOn(onDark), link: onDark },
  }
}

const SHOWN = /^image\/(png|jpeg|gif|webp)$/

/** Returns null if mail clients cannot display the image or it is for buyers only. */
async function logoUrl(context: Context, id: string): Promise<string | null> {
  const file = await findRow(context, File, id)
  if (!file || !SHOWN.test(file.detected_type ?? '') || (await isForBuyers(context, file))) return null
  return fileUrl(context, file)
}
