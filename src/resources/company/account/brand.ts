import { type Branding, type Font, NO_BRANDING } from '../../../contract/declarations/branding.ts'
import { type Color, isColor, mixed, readableOn, textOn } from '../../../contract/values/colors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { fileUrl } from '../../content/file/addresses.ts'
import { File } from '../../content/file/file.ts'
import type { AccountRow } from './account.ts'

export interface Brand {
  color: Color | null
  font: Font
  logo: string | null
  cover: string | null
}

export function wholeBranding({ branding }: Pick<AccountRow, 'branding'>): Branding {
  return { ...NO_BRANDING, ...branding }
}

/** Returns a shop's branding. `branding` replaces the stored branding, for example in a preview. */
export async function brandOf(
  context: Context,
  account: Pick<AccountRow, 'branding'>,
  branding: Branding = wholeBranding(account),
): Promise<Brand> {
  const { logo_file, cover_file, color, font } = branding
  const files = await findRows(
    context,
    File,
    [logo_file, cover_file].flatMap((id) => id ?? []),
  )
  const urlOf = (id: string | null) => {
    const file = id === null ? undefined : files.get(id)
    return file ? fileUrl(context, file) : null
  }
  return {
    color: color !== null && isColor(color) ? color : null,
    font,
    logo: urlOf(logo_file),
    cover: urlOf(cover_file),
  }
}

/** Only preinstalled fonts, so that no page downloads one. */
export const FONT_STACKS: Readonly<Record<Exclude<Font, 'system'>, string>> = {
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif',
  slab: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
  mono: 'ui-monospace, "Cascadia Code", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace',
}

/** The page backgrounds of the common stylesheet in light and dark mode. */
const LIGHT: readonly Color[] = ['#ffffff', '#f5f6f9']
const DARK: readonly Color[] = ['#1d2026', '#15171b']

/** Variants of a color that keep text readable. */
export interface Shades {
  button: Color
  buttonOver: Color
  onButton: Color
  /** The color of links and marks on light and on dark pages. */
  onLight: Color
  onDark: Color
}

export function shadesOf(color: Color): Shades {
  const onButton = textOn(color)
  const over = mixed(color, onButton === '#ffffff' ? '#000000' : '#ffffff', 0.15)
  return {
    button: color,
    buttonOver: over,
    onButton,
    onLight: readableOn(color, LIGHT),
    onDark: readableOn(color, DARK),
  }
}
