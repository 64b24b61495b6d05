# A JSON object that the API has returned. Its keys are strings but can also be read as symbols. If a program reads a missing key,
# the key is recorded: its nil may cause an error later, and the hint for that error names the key.
module Sandbox
  class Answer < Hash
    def self.parse(text)
      JSON::Ext::Parser.new(text, object_class: self, max_nesting: 200).parse
    end

    # Ruby calls this method only for a missing key, so reading a present key costs nothing.
    def default(key = nil)
      if Symbol === key
        name = key.name
        return self[name] if has_key?(name)
      end
      Run.current.missed[key] = self if Run.current
      nil
    end

    def fetch(key, *rest, &block) = super(stored(key), *rest, &block)
    def key?(key) = super(stored(key))
    alias include? key?
    alias member? key?
    alias has_key? key?
    def delete(key, &block) = super(stored(key), &block)
    def []=(key, value)
      super(stored(key), value)
    end
    alias store []=
    def fetch_values(*keys, &block) = super(*keys.map { |key| stored(key) }, &block)
    def slice(*keys) = Answer.new.update(super(*keys.map { |key| stored(key) }))
    def except(*keys) = Answer.new.update(super(*keys.map { |key| stored(key) }))
    def select(&block) = block ? Answer.new.update(super) : super
    def reject(&block) = block ? Answer.new.update(super) : super
    def compact = Answer.new.update(super)
    alias filter select
    def deconstruct_keys(_keys) = transform_keys(&:to_sym)

    private

    def stored(key) = Symbol === key ? key.name : key
  end
end
