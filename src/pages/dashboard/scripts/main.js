// Begins what the dashboard does beyond links and forms. Everything works without it.
import { Application } from '@hotwired/stimulus'
import { config } from '@hotwired/turbo'
import { Copy } from 'dashboard/copy'
import { Menu } from 'dashboard/menu'
import { Refresh } from 'dashboard/refresh'

// Turbo's own bar makes a style element, which our pages do not allow; the stylesheet shows that a page is being loaded.
config.drive.progressBarDelay = 2 ** 31 - 1

const application = Application.start()
application.register('copy', Copy)
application.register('menu', Menu)
application.register('refresh', Refresh)

export { application }
