import { packageFile } from '../../package-file.ts'

/** Latin, Greek, Cyrillic, Armenian, Georgian and more, in one file each. */
export const FONT_FILES = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
}

/** In place of a character that the fonts lack, such as Chinese ones. */
const UNKNOWN = '□'
/** What has no shape of its own, or turns the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

let known: ((codePoint: number) => boolean) | undefined

/** Makes a text one of characters that can be printed: none is left out in silence. */
export async function loadPrintable(): Promise<(text: string) => string> {
  known ??= await loadCharacters()
  const isKnown = known
  return (text) =>
    [...text.normalize('NFC').replaceAll(UNSEEN, ' ')]
      .map((character) => (isKnown(character.codePointAt(0) ?? 0) ? character : UNKNOWN))
      .join('')
}

async function loadCharacters(): Promise<(codePoint: number) => boolean> {
  const { openSync } = await import('fontkit')
  const font = openSync(packageFile(FONT_FILES.regular))
  if (!('characterSet' in font)) throw new Error('The font of receipts is a collection of fonts')
  const characters = new Set(font.characterSet)
  return (codePoint) => characters.has(codePoint)
}
