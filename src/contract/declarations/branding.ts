import { z } from 'zod'
import { isColor } from '../values/colors.ts'
import { structure } from './kinds.ts'
import { exampleId } from './noun.ts'

/** Font stacks that use only fonts of the device, so that pages load no font files. */
export const FONTS = ['system', 'humanist', 'geometric', 'serif', 'slab', 'mono'] as const
export type Font = (typeof FONTS)[number]

const fileId = z.string().min(1, "can't be blank").max(200, 'is not an id').nullable()
const color = z
  .string()
  .max(7, 'is not a color; write it like #1f4fd8')
  .transform((given) => given.toLowerCase())
  .refine(isColor, 'is not a color; write it like #1f4fd8')
  .nullable()
const font = z.enum(FONTS, `must be one of ${FONTS.join(', ')}`)

const ShownBranding = z.object({
  logo_file: z.string().nullable(),
  color: z.string().nullable(),
  font,
  cover_file: z.string().nullable(),
})
export type Branding = z.infer<typeof ShownBranding>

const WrittenBranding = z.object({ logo_file: fileId, color, font, cover_file: fileId }).partial()

export const NO_BRANDING: Branding = { logo_file: null, color: null, font: 'system', cover_file: null }

/** Declares the branding. A body may name some of its parts; the others keep their values. */
export function brandingField() {
  return structure<Partial<Branding>>(
    'object',
    ShownBranding,
    'Look of the storefront, checkout, forms, e-mails and the buyer’s page: logo_file and cover_file are ids of pictures, color is written like #1f4fd8, font is one that devices have. Text on the color, and links in it, are shown in shades that can be read. Parts that are left out do not change; null clears one',
    { logo_file: exampleId('file'), color: '#1f4fd8', font: 'serif', cover_file: null },
    { written: WrittenBranding },
  ).default({})
}
