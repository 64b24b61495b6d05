# The part of Ruby's json/common.rb that the JSON extension needs. The extension itself, written in C, is part of the interpreter.
module JSON
  class JSONError < StandardError; end
  class ParserError < JSONError; end
  class NestingError < ParserError; end
  class GeneratorError < JSONError; end

  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Float::INFINITY
  PRETTY = { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }.freeze

  class << self
    attr_accessor :create_id, :state

    def parse(source, options = nil, **keywords)
      Ext::Parser.new(source, **(options || {}), **keywords).parse
    end

    def generate(value, options = nil)
      Ext::Generator::State.new(options || {}).generate(value)
    end

    def pretty_generate(value, options = nil)
      generate(value, PRETTY.merge(options || {}))
    end

    alias dump generate
    alias load parse
    alias parse! parse
  end

  self.create_id = "json_class"
end

$LOADED_FEATURES << "json/common.rb" << "json/ext/generator/state.rb"
require "json/ext/parser"
require "json/ext/generator"

JSON.state = JSON::State = JSON::Ext::Generator::State

class JSON::State
  def self.from_state(options)
    case options
    when self then options
    when Hash then new(options)
    else new
    end
  end
end

JSON::Ext::Generator::GeneratorMethods.constants.each do |name|
  type = name == :Object ? Object : Object.const_get(name)
  type.include(JSON::Ext::Generator::GeneratorMethods.const_get(name))
end

# In Ruby 3.4, `generate` is a class method of `State` instead of an instance method.
unless JSON::State.method_defined?(:generate)
  class << JSON
    def generate(value, options = nil) = JSON::State.generate(value, options, nil)
    alias dump generate
  end
end
