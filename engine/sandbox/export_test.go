package sandbox

// Review reviews the idle workers now, and returns how many there are then.
func (p *Pool) Review() int {
	p.crew.look()
	p.crew.mu.Lock()
	defer p.crew.mu.Unlock()
	return len(p.crew.idle)
}
