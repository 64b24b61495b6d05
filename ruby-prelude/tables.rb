# Makes a table while the snapshot is built. Ruby keeps each page that its heap ever had, and every interpreter holds a copy of
# them, so what making the table leaves behind is collected on the way.
module Sandbox
  module Tables
    STEP = 16

    def self.make(entries)
      table = {}
      entries.each_slice(STEP) do |some|
        some.each { |entry| yield entry, table }
        GC.start
      end
      table.freeze
    end
  end
end
