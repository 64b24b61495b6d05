# Ruby's class Set, because this interpreter does not contain the file of the standard library.
Object.send(:remove_const, :Set) if Object.autoload?(:Set)

class Set
  include Enumerable

  def self.[](*values) = new(values)

  def initialize(values = nil, &block)
    @hash = {}
    return if values.nil?
    block ? values.each { |value| add(block.call(value)) } : merge(values)
  end

  def initialize_copy(other)
    @hash = other.to_hash_of_members.dup
  end

  def add(value)
    @hash[value] = true
    self
  end
  alias << add

  def add?(value) = include?(value) ? nil : add(value)

  def delete(value)
    @hash.delete(value)
    self
  end

  def delete?(value) = include?(value) ? delete(value) : nil

  def merge(*collections)
    collections.each { |collection| collection.each { |value| add(value) } }
    self
  end

  def subtract(values)
    values.each { |value| delete(value) }
    self
  end

  def each(&block)
    return to_enum(:each) { size } unless block
    @hash.each_key(&block)
    self
  end

  def include?(value) = @hash.key?(value)
  alias member? include?
  alias === include?
  alias contain? include?

  def size = @hash.size
  alias length size

  def count(*values, &block) = values.empty? && !block ? size : super
  def empty? = @hash.empty?
  def to_a = @hash.keys
  def to_set = self
  def first(*count) = to_a.first(*count)

  def clear
    @hash.clear
    self
  end

  def |(other) = dup.merge(other)
  alias + |
  alias union |
  def &(other) = self.class.new(other.select { |value| include?(value) })
  alias intersection &
  def -(other) = dup.subtract(other)
  alias difference -
  def ^(other) = (self | other) - (self & other)

  def subset?(other) = size <= other.size && all? { |value| other.include?(value) }
  alias <= subset?
  def superset?(other) = other.subset?(self)
  alias >= superset?
  def proper_subset?(other) = size < other.size && subset?(other)
  alias < proper_subset?
  def proper_superset?(other) = other.proper_subset?(self)
  alias > proper_superset?
  def disjoint?(other) = none? { |value| other.include?(value) }
  def intersect?(other) = !disjoint?(other)

  def map!(&block) = replace(map(&block))
  alias collect! map!
  def select(&block) = block ? self.class.new(super) : super
  alias filter select
  def reject(&block) = block ? self.class.new(super) : super

  def select!(&block)
    @hash.select! { |value, _| block.call(value) } && self
  end
  alias filter! select!
  alias keep_if select!

  def reject!(&block)
    @hash.reject! { |value, _| block.call(value) } && self
  end
  alias delete_if reject!

  def replace(values)
    clear
    merge(values)
  end

  def freeze
    @hash.freeze
    super
  end

  def ==(other) = other.is_a?(Set) && size == other.size && subset?(other)
  def hash = @hash.hash
  def eql?(other) = other.is_a?(Set) && @hash.eql?(other.to_hash_of_members)
  def inspect = "#<Set: {#{to_a.map(&:inspect).join(", ")}}>"
  alias to_s inspect

  protected

  def to_hash_of_members = @hash
end

module Enumerable
  def to_set(&block) = Set.new(self, &block)
end
