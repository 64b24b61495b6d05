# Builds a large table into the memory snapshot from which every interpreter starts. Ruby's heap never shrinks and every interpreter
# copies all of it, so garbage is collected repeatedly during the build.
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
