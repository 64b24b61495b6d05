import { afterAll, beforeAll, expect, it } from 'vitest'
import { vaultOf } from '../../src/access/vault.ts'
import type { Services } from '../../src/records/services.ts'
import { accessUrl } from '../../src/resources/content/experience/access.ts'
import { SECRET_KEY } from '../support/app.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, SCREENS, type Tab } from './browser.ts'

/** Draws for a second or two and records it as WebM, as browsers do. */
const RECORD = `new Promise((resolve) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 36 })
  const pen = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' })
  const parts = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = async () => resolve([...new Uint8Array(await new Blob(parts).arrayBuffer())])
  let drawn = 0
  const timer = setInterval(() => {
    pen.fillStyle = 'hsl(' + drawn * 12 + ' 80% 50%)'
    pen.fillRect(0, 0, 64, 36)
    if (++drawn < 30) return
    clearInterval(timer)
    recorder.stop()
  }, 50)
  recorder.start()
})`
const PLAY = `(async () => {
  const video = document.querySelector('video')
  video.muted = true
  const over = new Promise((resolve, reject) => {
    video.onended = resolve
    video.onerror = () => reject(new Error(video.error.message))
  })
  await video.play()
  await over
  return { width: video.videoWidth, played: video.currentTime }
})()`

inChromium('An experience', (engine, open) => {
  const shop = new Shop()
  let film: Uint8Array<ArrayBuffer>

  beforeAll(async () => {
    await shop.open(engine, {})
    const { page, close } = await open()
    film = new Uint8Array(await page.evaluate<number[]>(RECORD))
    await close()
  })
  afterAll(() => shop.close())

  const sold = async (item_type: 'course' | 'download' | 'embed' | 'discord', content: object): Promise<string> => {
    const id = await shop.experience({ name: 'Paper and light', item_type, content: JSON.stringify(content) })
    const { slug } = await shop.get(`/experiences/${id}`)
    const price = await priceForSale(shop, { experience_ids: [id] })
    const { customer } = await sell(shop, [{ price_variant: price.id }])
    const services = { vault: vaultOf(SECRET_KEY) } as Services
    return `${accessUrl({ services, publicUrl: shop.running.url }, customer.id)}/${slug}`
  }
  const uploaded = async () => {
    const { id, upload_url } = await shop.post('/files', { filename: 'lesson.webm' })
    await fetch(upload_url, { method: 'PUT', body: film })
    return shop.post(`/files/${id}/uploaded`)
  }
  /** Plays the film of a page to its end; gives the statuses with which its bytes came. */
  const played = async ({ page }: Tab): Promise<{ width: number; played: number; statuses: number[] }> => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/files/')) statuses.push(response.status())
    })
    return { ...(await page.evaluate<{ width: number; played: number }>(PLAY)), statuses }
  }

  it('plays its films where they are downloaded', async () => {
    const { id } = await uploaded()
    const tab = await open(SCREENS[0])
    await tab.page.goto(await sold('download', { files: [id] }))
    const { width, played: seconds, statuses } = await played(tab)
    expect(width).toBe(64)
    expect(seconds).toBeGreaterThan(0.5)
    expect(statuses.length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 206)).toBe(true)
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it.each(SCREENS)('plays the films of its lessons, $name', async (screen) => {
    const { file_url: url } = await uploaded()
    const lessons = [{ id: 'l1', title: 'Cutting paper', position: 1, video_url: url, duration_seconds: 2 }]
    const tab = await open(screen)
    await tab.page.goto(await sold('course', { chapters: [{ id: 'c1', title: 'Begin', position: 1, lessons }] }))
    await tab.page.click('summary')
    expect((await played(tab)).width).toBe(64)
    await keepScreenshot(tab.page, `course ${screen.name}`)
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('shows another page in a frame that can neither lead away nor read along', async () => {
    const tab = await open(SCREENS[0])
    let heard: string | undefined
    await tab.page.route('https://boards.example.com/**', (route) => {
      heard = route.request().headers().referer
      return route.fulfill({
        contentType: 'text/html',
        body: `<title>Board</title><p id="said">A board</p><script>
          try { top.location = 'https://evil.example/' } catch { document.getElementById('said').textContent += ' that stays' }
        </script>`,
      })
    })
    const address = await sold('embed', { url: 'https://boards.example.com/b/1' })
    await tab.page.goto(address)
    await tab.page.frameLocator('iframe').locator('text=A board that stays').waitFor()
    expect(tab.page.url()).toBe(address)
    expect(heard).toBe(`${shop.running.url}/`)
    await keepScreenshot(tab.page, 'embed')
    await tab.close()
  })
})
